// What the manager drives, of ID_W, ADDR_W and DATA_W bits.
  wire                m_axi_awvalid, m_axi_wvalid, m_axi_wlast, m_axi_bready, m_axi_arvalid, m_axi_rready;
  wire [ID_W-1:0]     m_axi_awid, m_axi_arid;
  wire [ADDR_W-1:0]   m_axi_awaddr, m_axi_araddr;
  wire [7:0]          m_axi_awlen, m_axi_arlen;
  wire [2:0]          m_axi_awsize, m_axi_arsize, m_axi_awprot, m_axi_arprot;
  wire [1:0]          m_axi_awburst, m_axi_arburst;
  wire                m_axi_awlock, m_axi_arlock;
  wire [3:0]          m_axi_awcache, m_axi_arcache;
  wire [USER_W-1:0]   m_axi_awuser, m_axi_aruser;
  wire [DATA_W-1:0]   m_axi_wdata;
  wire [DATA_W/8-1:0] m_axi_wstrb;
